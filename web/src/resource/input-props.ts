/** What antd's Form.Item hands to the control inside it. */
export interface InputProps {
  readonly id?: string
  readonly value?: unknown
  readonly onChange?: (value: unknown) => void
}
