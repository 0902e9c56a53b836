import { type GroupNeed, groupNeeds } from '#contract/signup/group.routes.ts'
import { signupMachine } from '#contract/signup/signup.state.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { minuteOf } from '#web/kernel/format.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { ActionDialog } from '#web/ui/action-dialog.tsx'
import { Facts } from '#web/ui/facts.tsx'
import { StateTag } from '#web/ui/state-tag.tsx'
import { groupTexts } from './texts.ts'

type Row = ApiOutput<'GET /blade-signup/signup/getGroupSignUps'>['records'][number]
const isNeed = (need: string): need is GroupNeed => (groupNeeds as readonly string[]).includes(need)

/** One person whom a group signed up: what was handed in and what is left to do. */
export const RowDialog = ({ row, onClose }: { readonly row: Row; readonly onClose: () => void }) => {
  const t = useT(groupTexts)
  return (
    <ActionDialog title={t('view.title', { name: row.name })} onClose={onClose}>
      <Facts
        items={[
          { key: 'signNo', label: t('signNo'), value: row.signNo },
          { key: 'idCard', label: t('idCard'), value: row.idCardMask },
          { key: 'phone', label: t('phone'), value: row.phoneMask },
          { key: 'post', label: t('post'), value: [row.code, row.codeName].filter(Boolean).join(' ') },
          { key: 'unit', label: t('unit'), value: row.unitName },
          { key: 'state', label: t('state'), value: <StateTag of={signupMachine} wire={row.examine} /> },
          {
            key: 'needs',
            label: t('needs'),
            value: row.needs.length === 0 ? t('done') : row.needs.map(need => (isNeed(need) ? t(`need.${need}`) : need)).join(' · '),
          },
          { key: 'sms', label: t('sms'), value: t(row.told ? 'told' : 'told.not') },
          { key: 'group', label: t('group'), value: row.groupName ?? (row.groupCode || t('office')) },
          { key: 'at', label: t('at'), value: minuteOf(row.importedAt) },
        ]}
      />
    </ActionDialog>
  )
}
