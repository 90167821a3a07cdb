"""The command line: thin verbs over the desk and how their answers are printed; no rule, no storage."""
