"""Where agents meet: games at batch speed, seat-rotated duplicate matches, intervals."""
