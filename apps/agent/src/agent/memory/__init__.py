"""Long-term memory of each user: records, recall, formation, editing and transfer."""
