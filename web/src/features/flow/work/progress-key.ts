/** What queries about one process are kept under, so that whatever is done with it asks for them anew. */
export const progressKey = 'flow-progress'
