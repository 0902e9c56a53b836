import { listStored, readStored, removeStored, writeStored } from '#web/kernel/storage.ts'

/** Entries of the browser's store with what was typed into a form and has not reached the server. */
const startOf = (userId: string): string => `form-${userId}-`
const nameOf = (examId: string, userId: string): string => startOf(userId) + examId

export const readKept = <T>(examId: string, userId: string): T | null => readStored<T>(nameOf(examId, userId))
export const writeKept = (examId: string, userId: string, copy: unknown): void => writeStored(nameOf(examId, userId), copy)

/** The examinations whose forms this device keeps something of. */
export const keptExams = (userId: string): readonly string[] => listStored(startOf(userId)).map(name => name.slice(startOf(userId).length))

/** Leaving for good takes everything along, whoever typed it. */
export const dropKept = (): void => removeStored('form-')
