"""One module per step, each frozen once it was released: a step makes what was right then, whatever came later."""
