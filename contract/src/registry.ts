import { authRoutes } from './auth/auth.routes.ts'
import { secondFactorRoutes } from './auth/second-factor.routes.ts'
import { examResources } from './exam/exam.resources.ts'
import { examRoutes } from './exam/exam.routes.ts'
import { resultNoun } from './exam/result.noun.ts'
import { resultRoutes } from './exam/result.routes.ts'
import { exportRoutes } from './file/export.routes.ts'
import { fileRoutes } from './file/file.routes.ts'
import { crudRoutes } from './kernel/crud-routes.ts'
import { nounOf, type RuledNoun } from './kernel/field-rule.ts'
import type { Resource } from './kernel/resource.ts'
import type { ApiOf, Route } from './kernel/route.ts'
import { logRoutes } from './log/log.routes.ts'
import { messageRoutes } from './message/message.routes.ts'
import { payResources } from './pay/pay.resources.ts'
import { payRoutes } from './pay/pay.routes.ts'
import { appealRoutes } from './person/appeal.routes.ts'
import { deptTemplate, importDepts } from './person/dept-import.routes.ts'
import { homeRoutes } from './person/home.routes.ts'
import { nounImportRoutes } from './person/noun-import.routes.ts'
import { personRoutes } from './person/person.routes.ts'
import { importRegions, regionTemplate } from './person/region-import.routes.ts'
import { settingsRoutes } from './person/settings.routes.ts'
import { importUsers, userTemplate } from './person/user-import.routes.ts'
import { verifiedChangeRoutes } from './person/verified-change.routes.ts'
import { schoolRoutes } from './school/school.routes.ts'
import { allotRoutes } from './signup/allot.routes.ts'
import { examineRoutes } from './signup/examine.routes.ts'
import { signupNoun } from './signup/signup.noun.ts'
import { signupRoutes } from './signup/signup.routes.ts'
import { statisticsRoutes } from './signup/statistics.routes.ts'
import { renewSecret } from './system/client.routes.ts'
import { datasourcePassword } from './system/datasource.routes.ts'
import { deptRoutes } from './system/dept.routes.ts'
import { dictRoutes } from './system/dict.routes.ts'
import { fieldRuleRoutes } from './system/field-rule.routes.ts'
import { menuAdminRoutes } from './system/menu.routes.ts'
import { monitorRoutes } from './system/monitor.routes.ts'
import { paramRoutes } from './system/param.routes.ts'
import { regionRoutes } from './system/region.routes.ts'
import { roleRoutes } from './system/role.routes.ts'
import { scopeResources } from './system/scope.resources.ts'
import { scopeRoutes } from './system/scope.routes.ts'
import { ruledResources, systemResources } from './system/system.resources.ts'
import { systemRoutes } from './system/system.routes.ts'
import { tenantRoutes } from './system/tenant.routes.ts'
import { topMenuRoutes } from './system/topmenu.routes.ts'
import { userNoun } from './system/user.noun.ts'
import { userRoutes } from './system/user.routes.ts'
import { viewAsRoutes } from './system/view-as.routes.ts'
import { ticketNoun } from './ticket/ticket.noun.ts'
import { ticketRoutes } from './ticket/ticket.routes.ts'
import { watchRoutes } from './watch/watch.routes.ts'

/** The only list of all resources and routes: mounting, access, sweeps, OpenAPI and the web's typed client read it. */
export const resources: readonly Resource[] = [...systemResources, ...ruledResources, ...scopeResources, ...examResources, ...payResources]
export const routes = [
  ...authRoutes,
  ...secondFactorRoutes,
  ...fileRoutes,
  ...exportRoutes,
  ...systemRoutes,
  ...menuAdminRoutes,
  ...userRoutes,
  ...monitorRoutes,
  ...watchRoutes,
  ...logRoutes,
  ...paramRoutes,
  ...roleRoutes,
  ...tenantRoutes,
  ...regionRoutes,
  ...topMenuRoutes,
  renewSecret,
  datasourcePassword,
  ...scopeRoutes,
  ...fieldRuleRoutes,
  ...viewAsRoutes,
  ...dictRoutes,
  ...deptRoutes,
  ...schoolRoutes,
  ...messageRoutes,
  ...examRoutes,
  ...signupRoutes,
  ...examineRoutes,
  ...allotRoutes,
  ...payRoutes,
  ...ticketRoutes,
  ...resultRoutes,
  ...statisticsRoutes,
  ...homeRoutes,
  ...nounImportRoutes,
  ...personRoutes,
  importUsers,
  importDepts,
  deptTemplate,
  importRegions,
  regionTemplate,
  userTemplate,
  ...settingsRoutes,
  ...verifiedChangeRoutes,
  ...appealRoutes,
] as const satisfies readonly Route[]

/** Nouns whose fields rules by role may mask or hide: those that more is said about, and every plain one of a tenant but the rules themselves. */
export const ruledNouns: readonly RuledNoun[] = [
  userNoun,
  signupNoun,
  ticketNoun,
  resultNoun,
  ...resources.filter(resource => resource.scope === 'tenant' && !scopeResources.includes(resource)).map(nounOf),
]

/** Every route, those generated from resources too. */
export const allRoutes = (): readonly Route[] => [...routes, ...resources.flatMap(resource => Object.values(crudRoutes(resource)))]

/** `'GET /blade-…' → { input, output }` for every route that is not generated from a resource. */
export type Api = ApiOf<(typeof routes)[number]>
