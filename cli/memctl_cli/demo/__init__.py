"""The bundled example app: its pages, its screenshots and the story told on them."""
