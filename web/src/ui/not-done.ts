/** A call was answered, and the answer says that nothing came of it; the message is for whoever asked. */
export class NotDone extends Error {
  override readonly name = 'NotDone'
}
