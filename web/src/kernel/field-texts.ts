import { ApiError } from './api-error.ts'

/** The server's texts by the field they belong to; empty when the failure is no refusal of fields. */
export const fieldTexts = (error: unknown): Readonly<Record<string, string>> =>
  error instanceof ApiError ? Object.fromEntries(error.fields.map(problem => [problem.field, problem.msg])) : {}
