/**
 * What the kit's calendar leaves undone: columns of hours and minutes that the keyboard cannot reach, and a name (“choose a month”) that
 * hides the month on the button.
 */
export const mendPanel = (panel: HTMLElement | null) => {
  for (const column of panel?.querySelectorAll('ul[data-type]') ?? []) column.setAttribute('tabindex', '0')
  for (const head of panel?.querySelectorAll('.ant-picker-month-btn, .ant-picker-year-btn') ?? []) head.removeAttribute('aria-label')
}
