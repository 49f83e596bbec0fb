"""The bundled example app: its pages, its screenshots and their story."""
