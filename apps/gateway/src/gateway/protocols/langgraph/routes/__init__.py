"""The routes of the LangGraph API, one file per subject. They do not import each other."""
