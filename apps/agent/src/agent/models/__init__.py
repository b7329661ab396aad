"""The models: chat, embeddings, and what stands in for both when there is no key."""
