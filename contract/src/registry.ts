import { accessContext } from './access/context.ts'
import { scopeResources } from './access/scope.resources.ts'
import { authContext } from './auth/context.ts'
import { developContext } from './develop/context.ts'
import { examContext } from './exam/context.ts'
import { fileContext } from './file/context.ts'
import { flowContext } from './flow/context.ts'
import { installationContext } from './installation/context.ts'
import { jobContext } from './job/context.ts'
import { crudRoutes } from './kernel/crud-routes.ts'
import { nounOf, type RuledNoun } from './kernel/field-rule.ts'
import { type ImportKind, importKindOf } from './kernel/import-kind.ts'
import { isOfTenants } from './kernel/resource.ts'
import type { ApiOf, Route } from './kernel/route.ts'
import { logContext } from './log/context.ts'
import { messageContext } from './message/context.ts'
import { newsContext } from './news/context.ts'
import { resources } from './nouns.ts'
import { organisationContext } from './organisation/context.ts'
import { userNoun } from './organisation/user.noun.ts'
import { oversightContext } from './oversight/context.ts'
import { payContext } from './pay/context.ts'
import { personContext } from './person/context.ts'
import { reductionContext } from './reduction/context.ts'
import { referenceContext } from './reference/context.ts'
import { reportContext } from './report/context.ts'
import { resultContext } from './result/context.ts'
import { resultNoun } from './result/result.noun.ts'
import { schoolContext } from './school/context.ts'
import { selectionContext } from './selection/context.ts'
import { signupContext } from './signup/context.ts'
import { signupNoun } from './signup/signup.noun.ts'
import { statisticsContext } from './statistics/context.ts'
import { tenancyContext } from './tenancy/context.ts'
import { ticketContext } from './ticket/context.ts'
import { ticketNoun } from './ticket/ticket.noun.ts'
import { transferContext } from './transfer/context.ts'
import { nounImportCalls } from './transfer/import-calls.ts'

/** Every context of the product, each with its nouns, routes and refusals: a new one is a folder with a `context.ts` and a line here. */
export const contexts = [
  authContext,
  fileContext,
  transferContext,
  messageContext,
  logContext,
  referenceContext,
  accessContext,
  tenancyContext,
  organisationContext,
  oversightContext,
  flowContext,
  jobContext,
  developContext,
  schoolContext,
  examContext,
  payContext,
  signupContext,
  reductionContext,
  ticketContext,
  resultContext,
  newsContext,
  selectionContext,
  statisticsContext,
  reportContext,
  personContext,
  installationContext,
] as const

/** All routes beside those of plain nouns (`nouns.ts`): mounting, access, sweeps, OpenAPI and the web's typed client read them. */
export const routes = [
  ...authContext.routes,
  ...fileContext.routes,
  ...transferContext.routes,
  ...messageContext.routes,
  ...logContext.routes,
  ...referenceContext.routes,
  ...accessContext.routes,
  ...tenancyContext.routes,
  ...organisationContext.routes,
  ...oversightContext.routes,
  ...flowContext.routes,
  ...jobContext.routes,
  ...developContext.routes,
  ...schoolContext.routes,
  ...examContext.routes,
  ...payContext.routes,
  ...signupContext.routes,
  ...reductionContext.routes,
  ...ticketContext.routes,
  ...resultContext.routes,
  ...newsContext.routes,
  ...selectionContext.routes,
  ...statisticsContext.routes,
  ...reportContext.routes,
  ...personContext.routes,
  ...installationContext.routes,
] as const satisfies readonly Route[]

/** Nouns whose fields rules by role may mask or hide: those that more is said about, and every plain one of a tenant but the rules themselves. */
export const ruledNouns: readonly RuledNoun[] = [
  userNoun,
  signupNoun,
  ticketNoun,
  resultNoun,
  ...resources.filter(resource => isOfTenants(resource) && !scopeResources.includes(resource)).map(nounOf),
]

/** Every route, those generated from resources too. */
export const allRoutes = (): readonly Route[] => [
  ...routes,
  ...resources.flatMap(resource => [...Object.values(crudRoutes(resource)), ...Object.values(nounImportCalls(resource) ?? {})]),
]

/** Every kind of workbook that comes in: those that contexts list, and one for each plain noun that says so. What goes out is a route (`isExport`). */
export const importKinds: readonly ImportKind[] = [
  ...contexts.flatMap((context): readonly ImportKind[] => ('imports' in context ? context.imports : [])),
  ...resources.flatMap(resource => importKindOf(resource) ?? []),
]

/** `'GET /blade-…' → { input, output }` for every route that is not generated from a resource. */
export type Api = ApiOf<(typeof routes)[number]>
