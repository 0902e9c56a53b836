import { runStates } from '#contract/report/run.state.ts'
import { StateTag } from '#web/ui/state-tag.tsx'

export const RunState = ({ state }: { readonly state: number }) => <StateTag of={runStates} wire={state} />
