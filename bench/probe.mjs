// Preloaded into the server under test (`node --import`): tells how long its event loop was held up. The server itself is unchanged.
import { monitorEventLoopDelay } from 'node:perf_hooks'

const resolutionMs = 5
const delay = monitorEventLoopDelay({ resolution: resolutionMs })
delay.enable()

process.on('message', message => {
  if (message === 'bench:reset') delay.reset()
  // The sampling timer itself takes `resolution`; what is beyond it was a block.
  if (message === 'bench:read') process.send?.({ blockMs: Math.max(0, delay.max / 1e6 - resolutionMs) })
})
// A listener keeps the channel and with it the process alive; the server decides when it ends.
process.channel?.unref()
