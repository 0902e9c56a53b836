/** Drafts on their way to the server, by examination: they outlive the page that sent them. */
const running = new Map<string, Promise<void>>()

/** Sends after what is on its way for this form already, so that an older draft never arrives after a newer one. */
export const inLine = (examId: string, send: () => Promise<void>): Promise<void> => {
  const sent = (running.get(examId) ?? Promise.resolve()).then(send, send).finally(() => {
    if (running.get(examId) === sent) running.delete(examId)
  })
  running.set(examId, sent)
  return sent
}

/** Ends when nothing typed into this form is on its way: a form that is read before would be older than what was typed. */
export const settled = async (examId: string): Promise<void> => {
  for (let last = running.get(examId); last !== undefined; last = running.get(examId)) await last.catch(() => {})
}
