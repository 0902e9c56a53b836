import { useLangStore } from './i18n/index.ts'
import { messageStore } from './notify.ts'

// Words of the language that was left do not stay among those of the one that was chosen.
useLangStore.subscribe((now, before) => {
  if (now.lang !== before.lang) messageStore.setState({ messages: [] })
})
