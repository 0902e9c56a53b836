const date = /(\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}(?::\d{2})?)?)/

/** A text in which no date or time is broken at the end of a line, as browsers do after a hyphen. */
export const WithDates = ({ text }: { readonly text: string }) =>
  text.split(date).map((part, index) =>
    index % 2 === 0 ? (
      part
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text have no identity
      <span key={index} style={{ whiteSpace: 'nowrap' }}>
        {part}
      </span>
    ),
  )
