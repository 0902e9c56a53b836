import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useId, useState } from 'react'
import { useLang, useT } from '../kernel/i18n/index.ts'
import { notify } from '../kernel/notify.ts'
import { switchTo } from '../kernel/switch-roles.ts'
import { confirm } from '../ui/dialog.tsx'
import { Dialog } from '../ui/modal.tsx'
import { Loaded } from '../ui/states.tsx'
import { anyTabHasChanges } from '../ui/unsaved.ts'
import { choicesQuery, type Held } from './choices.ts'
import { shellTexts } from './texts.ts'

/** One of several, or all of them; nothing to choose from shows as a line of text. */
const Choice = ({
  legend,
  all,
  held,
  value,
  onChange,
}: {
  readonly legend: string
  readonly all: string
  readonly held: readonly Held[]
  readonly value: string
  readonly onChange: (id: string) => void
}) => {
  const name = useId()
  if (held.length < 2) return null
  return (
    <fieldset className="role-choice">
      <legend>{legend}</legend>
      {[{ id: '', name: all }, ...held].map(one => (
        <label key={one.id}>
          <input type="radio" name={name} value={one.id} checked={value === one.id} onChange={() => onChange(one.id)} />
          <span>{one.name}</span>
        </label>
      ))}
    </fieldset>
  )
}

/** The one that a session is narrowed to; empty for all of them, or for some that another program has chosen. */
const chosenOf = (held: readonly Held[]): string => {
  const chosen = held.filter(one => one.isChosen)
  return chosen.length === 1 && held.length > 1 ? (chosen[0]?.id ?? '') : ''
}
const wishOf = (held: readonly Held[], chosen: string): string => (chosen === '' ? held.map(one => one.id).join(',') : chosen)

const Form = ({
  roles,
  departments,
  onClose,
}: {
  readonly roles: readonly Held[]
  readonly departments: readonly Held[]
  readonly onClose: () => void
}) => {
  const t = useT(shellTexts)
  const form = useId()
  const [role, setRole] = useState(() => chosenOf(roles))
  const [dept, setDept] = useState(() => chosenOf(departments))
  const [busy, setBusy] = useState(false)
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (anyTabHasChanges() && !(await confirm({ title: t('role.switch'), text: `${t('form.unsaved')}\n${t('role.switch.ask')}` }))) return
    setBusy(true)
    // Menus, pages and buttons are those of the choice: everything starts anew with it.
    if (await switchTo({ roleIds: wishOf(roles, role), deptIds: wishOf(departments, dept) }).catch(() => false))
      location.assign('/wel/index')
    else {
      setBusy(false)
      notify('error', t('role.switch.failed'))
    }
  }
  return (
    <Dialog
      title={t('role.switch')}
      size="prompt"
      onClose={onClose}
      footer={close => (
        <div className="form-footer">
          <button type="button" className="button" onClick={close}>
            {t('action.cancel')}
          </button>
          <button type="submit" form={form} className="button button-primary" disabled={busy}>
            {t('action.ok')}
          </button>
        </div>
      )}
    >
      <form id={form} onSubmit={submit} className="role-choices">
        <Choice legend={t('role.roles')} all={t('role.all')} held={roles} value={role} onChange={setRole} />
        <Choice legend={t('role.departments')} all={t('role.allDepartments')} held={departments} value={dept} onChange={setDept} />
        <p className="role-help">{t('role.help')}</p>
      </form>
    </Dialog>
  )
}

/** S2.31, S6.07: works on with one of the person's roles or departments. */
export const RoleDialog = ({ onClose }: { readonly onClose: () => void }) => {
  const held = useQuery(choicesQuery(useLang()))
  return <Loaded query={held}>{data => <Form {...data} onClose={onClose} />}</Loaded>
}
