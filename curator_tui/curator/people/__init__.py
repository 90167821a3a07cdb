"""People: one desk over all people of a tenant. Loaded when such a desk is opened, and never for a home."""
