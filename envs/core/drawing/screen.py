"""Pictures as pixels, and the window that shows them. Needs `pip install handfast[render]`."""

import importlib
import io
import os
from pathlib import Path
from typing import Any

import numpy as np


def raster(svg: str) -> np.ndarray:
    """An SVG picture as pixels, uint8 [height, width, 3]. Needs `pip install handfast[render]`."""
    resvg, pygame = _library("resvg_py"), _library("pygame")
    font = Path(pygame.__file__).parent / pygame.font.get_default_font()
    fonts = dict(skip_system_fonts=True, font_files=[str(font)], sans_serif_family="FreeSans")
    png = resvg.svg_to_bytes(svg_string=svg, **fonts)
    surface = pygame.image.load(io.BytesIO(bytes(png)), "picture.png")
    width, height = surface.get_size()
    return np.frombuffer(pygame.image.tobytes(surface, "RGB"), np.uint8).reshape(height, width, 3).copy()


class Window:
    """A window on the screen that shows pictures. It opens with the first; one that the user closes stays closed."""

    def __init__(self, title: str):
        self.title = title
        self._opened = self._dismissed = False

    def show(self, image: np.ndarray) -> None:
        """Show an image, uint8 [height, width, 3], in a window of its size. Needs `pip install handfast[render]`."""
        if self._dismissed:
            return
        pygame = _library("pygame")
        pygame.display.init()
        self._opened = True
        if any(event.type == pygame.QUIT for event in pygame.event.get()):
            self.close()
            self._dismissed = True
            return
        size = image.shape[1], image.shape[0]
        surface = pygame.display.get_surface()
        if surface is None or surface.get_size() != size:
            surface = pygame.display.set_mode(size)
        pygame.display.set_caption(self.title)
        pygame.surfarray.blit_array(surface, image.swapaxes(0, 1))
        pygame.display.flip()

    def close(self) -> None:
        """Close the window; the next picture opens a new one."""
        if self._opened:
            _library("pygame").display.quit()
        self._opened = self._dismissed = False


def _library(name: str) -> Any:
    """A library of the extra `render`, imported when it is first needed."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")
    try:
        return importlib.import_module(name)
    except ImportError as error:
        raise ImportError(f"pictures as pixels need {name}: pip install handfast[render]") from error
