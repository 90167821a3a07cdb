"""Screens and dialogs: each turns keys into requests to the door and answers into lines."""
