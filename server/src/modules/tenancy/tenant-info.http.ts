import { tenantInfo } from '#contract/tenancy/tenant-info.routes.ts'
import { type Handler, handle } from '#kernel/http/context.ts'
import { pictureUrl } from './commands/pictures.ts'
import { findTenantByDomain, findTenantById } from './data/tenant.repo.ts'
import type { TenancyDeps } from './deps.ts'

export const tenantInfoHandler = (deps: TenancyDeps): Handler =>
  handle(tenantInfo, async ({ ctx, input }) => {
    const tenant = await deps.services.scopes.asPlatform(
      'the login page asks which tenant its address belongs to',
      ctx.arrivedAt,
      async db =>
        input.tenantId !== undefined
          ? findTenantById(db, input.tenantId)
          : input.domain !== undefined
            ? findTenantByDomain(db, input.domain)
            : findTenantById(db, ctx.tenantId),
    )
    if (!tenant) return {}
    return {
      tenantId: tenant.tenantId,
      domain: tenant.domain ?? '',
      domainUrl: tenant.domain ?? '',
      logoUrl: pictureUrl(tenant.tenantId, 'logo', tenant.logoAt),
      backgroundUrl: pictureUrl(tenant.tenantId, 'background', tenant.backgroundAt),
      title: { zh: tenant.titleZh, en: tenant.titleEn },
    }
  })
