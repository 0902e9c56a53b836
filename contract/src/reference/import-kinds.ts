import type { ImportKind } from '../kernel/import-kind.ts'

/** What comes into this context by workbooks. */
export const referenceImports = {
  dict: {
    kind: 'T0s',
    label: { zh: '系统字典', en: 'System dictionary' },
    trail: { zh: '系统字典', en: 'system dictionary' },
    permission: 'dict_import',
    path: '/blade-system/dict/import-dict',
    partial: true,
  },
  dictbiz: {
    kind: 'T0b',
    label: { zh: '业务字典', en: 'Business dictionary' },
    trail: { zh: '业务字典', en: 'business dictionary' },
    permission: 'dictbiz_import',
    path: '/blade-system/dict-biz/import-dict',
    partial: true,
  },
  regions: {
    kind: 'T0r',
    label: { zh: '行政区划', en: 'Regions' },
    trail: { zh: '行政区划', en: 'regions' },
    permission: 'region_import',
    path: '/blade-system/region/import-region',
    partial: true,
  },
} as const satisfies Record<string, ImportKind>
