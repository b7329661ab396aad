"""Chat models, embedding models, and token counts."""
