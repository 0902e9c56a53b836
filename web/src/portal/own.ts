import { useSession } from '#web/kernel/session.ts'

/** Whether a candidate is logged in: what is public is drawn here for staff too, who have no sign-ups, dues or messages of their own in it. */
export const useCandidate = (): boolean => useSession(session => session.user?.userType === 2)
