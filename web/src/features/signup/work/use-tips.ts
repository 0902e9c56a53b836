import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCan } from '#web/kernel/permission.ts'
import { reviewTexts } from '../texts.ts'

const key = ['GET /blade-examineTip/examinetip/offered']

/** What a text is used for: 1 passing, 2 returning, 3 refusing. */
export type TipKind = 1 | 2 | 3

/** Texts of this reviewer and of all, and what keeps them. */
export const useTips = () => {
  const t = useT(reviewTexts)
  const client = useQueryClient()
  const can = useCan()
  const { data = [] } = useQuery({
    queryKey: key,
    queryFn: () => api.call('GET /blade-examineTip/examinetip/offered', {}),
    enabled: can('examinetip_view'),
    staleTime: 60_000,
  })
  return {
    /** Those for one field or file first, then those for any; `at` absent: of the whole sign-up. */
    of: (kind: TipKind, at?: string): readonly { readonly id: string; readonly content: string }[] =>
      data
        .filter(tip => tip.kind === kind && (!tip.fieldKey || tip.fieldKey === at))
        .toSorted((one, two) => Number(two.fieldKey === at) - Number(one.fieldKey === at)),
    /** Counted in the background: whoever reviews does not wait for it. */
    used: (id: string) => void api.call('POST /blade-examineTip/examinetip/use', { id }, { quiet: true }).catch(() => undefined),
    mayKeep: can('examinetip_add'),
    keep: async (kind: TipKind, content: string, at?: string) => {
      const body = { title: [...content].slice(0, 30).join(''), content, kind, scope: 1, ...(at === undefined ? {} : { fieldKey: at }) }
      await api.request({ method: 'POST', path: '/blade-examineTip/examinetip/submit', body })
      await client.invalidateQueries({ queryKey: key })
      notify('success', t('tip.kept'))
    },
  }
}
export type Tips = ReturnType<typeof useTips>
