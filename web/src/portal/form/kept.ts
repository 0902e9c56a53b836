import { listStored, readStored, removeStored, writeStored } from '#web/kernel/storage.ts'

/** Entries of the browser's store with what was typed into a form and has not reached the server. */
const startOf = (userId: string): string => `form-${userId}-`
const nameOf = (examId: string, userId: string): string => startOf(userId) + examId

export const readKept = <T>(examId: string, userId: string): T | null => readStored<T>(nameOf(examId, userId))
export const writeKept = (examId: string, userId: string, copy: unknown): void => writeStored(nameOf(examId, userId), copy)

/** The examinations whose forms this device keeps something of. */
export const keptExams = (userId: string): readonly string[] => listStored(startOf(userId)).map(name => name.slice(startOf(userId).length))

/** Where in the form somebody is: its step, and of the second its subject, counted from 1. */
export interface Place {
  readonly step: 1 | 2 | 3 | 4
  readonly part: number
}
const startOfPlaces = 'formplace-'
const placeName = (examId: string, userId: string): string => `${startOfPlaces}${userId}-${examId}`
export const readPlace = (examId: string, userId: string): Place | null => readStored<Place>(placeName(examId, userId))
export const writePlace = (examId: string, userId: string, place: Place | null): void => writeStored(placeName(examId, userId), place)

/** Leaving for good takes everything along, whoever typed it. */
export const dropKept = (): void => {
  removeStored('form-')
  removeStored(startOfPlaces)
}
