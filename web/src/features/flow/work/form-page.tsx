import { useQueryClient } from '@tanstack/react-query'
import { api } from '#web/kernel/api.ts'
import { useT } from '#web/kernel/i18n/index.ts'
import { notify } from '#web/kernel/notify.ts'
import { useCall } from '#web/kernel/query.ts'
import { moveOn } from '#web/shell/move-on.ts'
import { usePage, useTabTitle } from '#web/shell/page-context.tsx'
import { Loaded } from '#web/ui/states.tsx'
import { WorkPeople } from './people.tsx'
import { refreshWork } from './refresh.ts'
import { RequestForm, titleField } from './request-form.tsx'
import { StepWarnings } from './step-warnings.tsx'
import { workTexts } from './texts.ts'
import { fieldsOf, formValues, givenValues } from './variables.ts'
import '../flow.css'

/** Starts a process whose form is drawn from what it declares. */
export const Page = () => {
  const t = useT(workTexts)
  const { path, params } = usePage()
  const client = useQueryClient()
  const processDefinitionId = params['processDefinitionId'] ?? ''
  const form = useCall('GET /blade-flow/work/start-form', { processDefinitionId }, { quiet: true })
  const name = form.data?.name
  useTabTitle(name === undefined ? null : { zh: name, en: name })
  return (
    <div className="flow-page">
      <Loaded query={form}>
        {({ name, description, variables, warnings }) => (
          <>
            <div className="page-head">
              <h1>{name}</h1>
            </div>
            <div className="card">
              {description === '' ? null : <p>{description}</p>}
              <StepWarnings warnings={warnings} />
              <RequestForm
                fields={[titleField, ...fieldsOf(variables)]}
                initial={{ title: '', ...formValues(variables, {}) }}
                slots={Object.fromEntries(
                  variables.filter(each => each.type === 'user').map(each => [each.name, props => <WorkPeople {...props} single />]),
                )}
                submit={t('form.submit')}
                send={async ({ title, ...values }) => {
                  await api.call(
                    'POST /blade-flow/work/start-process',
                    { processDefinitionId, title: String(title).trim(), values: givenValues(variables, values) },
                    { quiet: 'fields' },
                  )
                  notify('success', t('form.sent', { name: String(title).trim() }))
                  await refreshWork(client)
                  moveOn(path, '/work/start')
                }}
              />
            </div>
          </>
        )}
      </Loaded>
    </div>
  )
}
