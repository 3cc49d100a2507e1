"""`python -m handfast` is `handfast`."""

import sys

from handfast.main import main

sys.exit(main())
