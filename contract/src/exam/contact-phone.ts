import { label } from '../kernel/label.ts'

/** One number or several, with area code, extension and what people put between them; nothing while an examination is a draft. */
export const contactPhonePattern = '^((?=(\\D*\\d){5})[0-9+()（）\\-－—\\s、，,；;/转分机]{5,60})?$'
export const contactPhoneHow = label(
  '写号码，如 0571-88010037；多个号码用顿号分隔',
  'Numbers, as in 0571-88010037; several with commas between them',
)
