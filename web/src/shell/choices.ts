import { queryOptions } from '@tanstack/react-query'
import { api } from '../kernel/api.ts'
import type { Lang } from '../kernel/i18n/index.ts'

export interface Held {
  readonly id: string
  readonly name: string
  readonly isChosen: boolean
}
export interface Choices {
  readonly roles: readonly Held[]
  readonly departments: readonly Held[]
}
/** What the person may work as. The names come in the reader's language. */
export const choicesQuery = (lang: Lang) =>
  queryOptions({
    queryKey: ['shell', 'choices', lang],
    queryFn: (): Promise<Choices> => api.call('GET /me/choices', {}, { quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Whether there is anything to choose. */
export const mayChoose = (choices: Choices | undefined): boolean =>
  choices !== undefined && (choices.roles.length > 1 || choices.departments.length > 1)
