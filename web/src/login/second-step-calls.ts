import type { NextStep } from '#contract/auth/second-factor.routes.ts'
import { type ApiOutput, api } from '../kernel/api.ts'
import { isApiError } from '../kernel/api-error.ts'
import { tenantId } from '../kernel/session.ts'
import { ofTenant } from './third-party-calls.ts'

/** What a login asks for next, and where the account is; without a tenant the server goes by the host. */
export type SecondStep = NextStep & { readonly tenantId: string | null }
export type SecondStepAnswer = ApiOutput<'POST /blade-auth/oauth/second-factor'>

/** The next step that a refused login names; null for every other failure. */
export const secondStepOf = (error: unknown, tenant: string | null = tenantId()): SecondStep | null =>
  isApiError(error) && error.reason === 'auth/second-factor' ? { ...(error.data as NextStep), tenantId: tenant } : null

/** What is wrong with it is for the caller to say: beside the code, or by `report`. */
export const sendSecondCode = (step: SecondStep, code: string): Promise<SecondStepAnswer> =>
  api.request<SecondStepAnswer>({
    method: 'POST',
    path: '/blade-auth/oauth/second-factor',
    answer: 'bare',
    headers: ofTenant(step.tenantId),
    body: { ticket: step.ticket, code },
    quiet: true,
  })

export const beginSetUp = (step: SecondStep): Promise<ApiOutput<'POST /blade-auth/oauth/second-factor/begin'>> =>
  api.call('POST /blade-auth/oauth/second-factor/begin', { ticket: step.ticket }, { headers: ofTenant(step.tenantId) })
