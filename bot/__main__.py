"""``python -m bot`` is ``balcao``."""

from bot.cli import main

if __name__ == "__main__":
    main()
