/** Characters of a drawn process. */
export const maxXmlChars = 500_000
/** Events, tasks, gateways and calls of a process. */
export const maxNodes = 300
/** People who sign one step. */
export const maxSigners = 50
/** How deep processes may call each other. */
export const maxCallDepth = 5
export const maxComment = 500
export const maxTitle = 100
/** Dictionary whose entries are the categories of processes. */
export const categoryDictionary = 'flow'
/** As definitions and lists say it. */
export const categoryOf = (dictKey: string): string => `flow_${dictKey}`
/** Categories whose processes are started by a page of their own; the others by the form of their declared variables. */
export const leaveCategory = categoryOf('1')
export const verifiedChangeCategory = categoryOf('3')
