import { Select } from 'antd'
import { useT } from '#web/kernel/i18n/index.ts'
import { useCall } from '#web/kernel/query.ts'
import type { InputProps } from '#web/resource/input-props.ts'
import { namedChoices } from '#web/resource/named-choices.ts'
import { resourceTexts } from '#web/resource/texts.ts'
import { userTexts } from './texts.ts'

interface Choice {
  readonly value: string
  readonly label: string
  readonly disabled?: boolean
}
/** Several out of a list, comma-joined on the wire. */
const Several = ({
  value,
  onChange,
  options,
  loading,
  ...rest
}: InputProps & { readonly options: readonly Choice[]; readonly loading: boolean; readonly placeholder: string }) => {
  const r = useT(resourceTexts)
  const chosen = String(value ?? '')
    .split(',')
    .filter(Boolean)
  return (
    <Select<string[]>
      {...rest}
      mode="multiple"
      allowClear
      loading={loading}
      options={namedChoices(options, chosen, loading, r('ref.unread'))}
      value={chosen}
      onChange={next => onChange?.(next.join(','))}
    />
  )
}

/** Roles; those that hold more than the reader's own rights cannot be chosen. */
export const RoleSelect = (props: InputProps) => {
  const t = useT(userTexts)
  const roles = useCall('GET /blade-system/user/role-choices', {})
  return (
    <Several
      {...props}
      loading={roles.isFetching}
      placeholder={t('form.select', { label: t('user.roles') })}
      options={(roles.data ?? []).map(role => ({ value: role.id, label: role.roleName, disabled: !role.grantable }))}
    />
  )
}

export const PostSelect = (props: InputProps) => {
  const t = useT(userTexts)
  const posts = useCall('GET /blade-system/post/select', {})
  return (
    <Several
      {...props}
      loading={posts.isFetching}
      placeholder={t('form.select', { label: t('user.post') })}
      options={(posts.data ?? []).map(post => ({ value: post.id, label: `${post.postName} ${post.postCode}` }))}
    />
  )
}

/** Staff or a service; candidates register themselves. */
export const KindSelect = ({ value, onChange, ...rest }: InputProps & { readonly disabled?: boolean }) => {
  const t = useT(userTexts)
  return (
    <Select<number>
      {...rest}
      options={[
        { value: 1, label: t('user.kind.1') },
        { value: 3, label: t('user.kind.3') },
      ]}
      value={Number(value ?? 1)}
      onChange={next => onChange?.(next)}
    />
  )
}
