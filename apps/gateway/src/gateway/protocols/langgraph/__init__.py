"""The LangGraph API under `/langgraph`, for its SDKs: the same threads, runs, limits and users as the other routes."""
