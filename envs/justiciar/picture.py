"""The Justiciar as a picture."""
