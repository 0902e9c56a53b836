import type { TrailWords } from '../kernel/trail-words.ts'

/** How the audit trail names what this context does. */
export const trailWords: TrailWords = {
  nouns: {
    cache: { zh: '缓存', en: 'Cache' },
    param: { zh: '参数', en: 'Parameter' },
    'platform-param': { zh: '平台参数', en: 'Platform parameter' },
    tenant: { zh: '租户', en: 'Tenant' },
  },
  verbs: {
    T0c: { zh: '参数', en: 'parameters' },
  },
  entities: ['platform_param', 'tenant'],
}
