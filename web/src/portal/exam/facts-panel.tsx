import { type FormEvent, useState } from 'react'
import { type Facts, factKeys, type MoreFact } from '#contract/signup/fit.ts'
import type { ApiOutput } from '#web/kernel/api.ts'
import { api } from '#web/kernel/api.ts'
import { dayOf } from '#web/kernel/format.ts'
import { defineTexts, useT } from '#web/kernel/i18n/index.ts'
import { useRead } from '../calls.ts'
import { refresh } from '../data/answers.ts'
import { CheckboxField, ReadField, SelectField, TextField, Tick } from '../kit/field.tsx'
import { Load } from '../kit/load.tsx'
import { Button } from '../kit/ui.tsx'

const texts = defineTexts(
  {
    'facts.heading': '回答几个问题，看能报哪些',
    'facts.hint': '答案会保存到你的账户，下次考试不用再填，也会填进报名表。',
    'facts.birthday': '出生日期',
    'facts.sex': '性别',
    'facts.education': '学历',
    'facts.degree': '学位',
    'facts.major': '专业（按毕业证书）',
    'facts.graduateDate': '毕业日期（没毕业的填预计日期）',
    'facts.employed': '毕业后已经落实过工作单位',
    'facts.residency': '已完成住院医师规范化培训',
    'facts.cert': '执业资格',
    'facts.none': '都没有',
    'facts.insured': '毕业后缴纳过社会保险',
    'facts.more': '再答几个，结果更准（有岗位要求）',
    'facts.political': '政治面貌',
    'facts.hukouAddress': '户籍所在地',
    'facts.title': '职称',
    'facts.workYears': '工作年限（整年数）',
    'facts.yearsWrong': '请填整年数，如 3',
    'facts.unsaid': '不填',
    'facts.save': '看结果',
    'facts.checked': '由证件号码得出',
    'facts.checkedAt': '{time} 审核通过时核验过',
    'facts.male': '男',
    'facts.female': '女',
  },
  {
    'facts.heading': 'Answer a few questions to see what you can apply for',
    'facts.hint': 'Your account keeps the answers for the next examination, and they fill in the form.',
    'facts.birthday': 'Birth date',
    'facts.sex': 'Sex',
    'facts.education': 'Education',
    'facts.degree': 'Degree',
    'facts.major': 'Major (as on your diploma)',
    'facts.graduateDate': 'Date of graduation (expected, if still to come)',
    'facts.employed': 'I have been employed since graduating',
    'facts.residency': 'I have completed residency training',
    'facts.cert': 'Licences',
    'facts.none': 'None of these',
    'facts.insured': 'Social insurance was paid since I graduated',
    'facts.more': 'A few more, for a surer result: some posts ask for them',
    'facts.political': 'Political status',
    'facts.hukouAddress': 'Household registration',
    'facts.title': 'Professional title',
    'facts.workYears': 'Years of work (whole years)',
    'facts.yearsWrong': 'Whole years in digits, such as 3',
    'facts.unsaid': 'Rather not say',
    'facts.save': 'Show the result',
    'facts.checked': 'from the id number',
    'facts.checkedAt': 'verified by the review that passed on {time}',
    'facts.male': 'Male',
    'facts.female': 'Female',
  },
)

type Own = ApiOutput<'GET /me/facts'>

/** A question that some post of this examination needs beside the five. */
const More = ({
  name,
  own,
  facts,
  checked,
  onChange,
}: {
  readonly name: MoreFact
  readonly own: Own
  readonly facts: Facts
  readonly checked: string | undefined
  readonly onChange: (value: string | undefined) => void
}) => {
  const t = useT(texts)
  const value = facts[name] ?? ''
  if (name === 'residency' || name === 'insured')
    return (
      <Tick checked={value === '1'} onChange={isOn => onChange(isOn ? '1' : undefined)}>
        {t(`facts.${name}`)}
      </Tick>
    )
  if (name === 'workYears')
    return (
      <TextField
        label={t('facts.workYears')}
        help={checked}
        inputMode="numeric"
        maxLength={2}
        error={/^\d*$/.test(value) ? undefined : t('facts.yearsWrong')}
        value={value}
        onChange={event => onChange(event.target.value.trim())}
      />
    )
  return (
    <SelectField
      label={t(`facts.${name}`)}
      help={checked}
      noneText={t('facts.unsaid')}
      options={own.choices[name]}
      value={value}
      onChange={onChange}
    />
  )
}

const Questions = ({ own, onDone }: { readonly own: Own; readonly onDone: () => void }) => {
  const t = useT(texts)
  const [facts, setFacts] = useState<Facts>(own.facts as Facts)
  const [busy, setBusy] = useState(false)
  const set = (name: keyof Facts) => (value: string | readonly string[] | undefined) =>
    setFacts(before =>
      Object.fromEntries(Object.entries({ ...before, [name]: value }).filter(([, one]) => one !== undefined && one !== '')),
    )
  const checked = (name: string): string | undefined => {
    const found = own.verified.find(one => one.name === name)
    return found && (found.time ? t('facts.checkedAt', { time: dayOf(found.time) }) : t('facts.checked'))
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    try {
      const kept = Object.fromEntries(factKeys.flatMap(name => (facts[name] === undefined ? [] : [[name, facts[name]]])))
      await api.call('POST /me/facts', kept)
      await Promise.all([refresh('posts'), refresh('facts')])
      onDone()
    } catch {
      // The client has said why.
    } finally {
      setBusy(false)
    }
  }
  const { education, degree, cert } = own.choices
  return (
    <form className="p-stack" onSubmit={event => void save(event)}>
      {facts.birthday !== undefined && checked('birthday') !== undefined ? (
        <ReadField label={t('facts.birthday')} value={`${facts.birthday} · ${checked('birthday')}`} />
      ) : (
        <TextField
          label={t('facts.birthday')}
          type="date"
          value={facts.birthday ?? ''}
          onChange={event => set('birthday')(event.target.value)}
        />
      )}
      <SelectField
        label={t('facts.education')}
        help={checked('education')}
        noneText={t('facts.unsaid')}
        options={education}
        value={facts.education ?? ''}
        onChange={set('education')}
      />
      <SelectField
        label={t('facts.degree')}
        help={checked('degree')}
        noneText={t('facts.unsaid')}
        options={degree}
        value={facts.degree ?? ''}
        onChange={set('degree')}
      />
      <TextField
        label={t('facts.major')}
        help={checked('major')}
        maxLength={60}
        value={facts.major ?? ''}
        onChange={event => set('major')(event.target.value)}
      />
      <TextField
        label={t('facts.graduateDate')}
        help={checked('graduateDate')}
        type="date"
        value={facts.graduateDate ?? ''}
        onChange={event => set('graduateDate')(event.target.value)}
      />
      {own.asksEmployed && (
        <Tick checked={facts.employed === '1'} onChange={value => set('employed')(value ? '1' : '0')}>
          {t('facts.employed')}
        </Tick>
      )}
      <CheckboxField
        label={t('facts.cert')}
        help={checked('certName')}
        options={cert}
        value={facts.certName ?? []}
        onChange={set('certName')}
      />
      <Tick
        checked={facts.certName !== undefined && facts.certName.length === 0}
        onChange={value => set('certName')(value ? [] : undefined)}
      >
        {t('facts.none')}
      </Tick>
      {own.asks.length > 0 && (
        <details className="p-fold" open={own.asks.some(name => facts[name as MoreFact] !== undefined) || undefined}>
          <summary>{t('facts.more')}</summary>
          <div className="p-stack">
            {own.asks.map(name => (
              <More key={name} name={name as MoreFact} own={own} facts={facts} checked={checked(name)} onChange={set(name as MoreFact)} />
            ))}
          </div>
        </details>
      )}
      <Button type="submit" look="primary" block busy={busy}>
        {t('facts.save')}
      </Button>
      <p className="p-help">{t('facts.hint')}</p>
    </form>
  )
}

/** What somebody says of themselves, once for all examinations; folded away once it is said. */
export const FactsPanel = ({ examId, isOpen }: { readonly examId: string; readonly isOpen: boolean }) => {
  const t = useT(texts)
  const [open, setOpen] = useState(isOpen)
  const own = useRead('facts', { examId }, { staleMs: 60_000 })
  return (
    <details className="p-card p-fold" open={open} onToggle={event => setOpen(event.currentTarget.open)}>
      <summary>{t('facts.heading')}</summary>
      <Load query={own} skeleton={[60, 60, 60]}>
        {data => <Questions key={data.savedAt ?? ''} own={data} onDone={() => setOpen(false)} />}
      </Load>
    </details>
  )
}
