"""Widgets: each paints lines of pieces and reports what was pressed, clicked or painted. None knows a rule."""
