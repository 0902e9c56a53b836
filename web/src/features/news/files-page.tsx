import { noticeFile } from '#contract/news/notice-file.resource.ts'
import { ResourcePage } from '#web/resource/resource-page.tsx'
import type { InputSlots } from '#web/resource/schema-form.tsx'
import { DocumentInput } from './inputs.tsx'

const inputs: InputSlots = { fileId: props => <DocumentInput {...props} /> }

/** Files beside notices (S7.61). */
export const Page = () => <ResourcePage resource={noticeFile} inputs={inputs} />
