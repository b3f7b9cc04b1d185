import { Kbd } from '@mantine/core'
import '@mantine/core/styles/Kbd.layer.css'
import { useRef } from 'react'
import shared from '../shared.module.css'
import classes from './page-search.module.css'
import { SearchField, type SearchFieldProps } from './search-field.tsx'
import { useSearchKey } from './use-search-key.ts'

/** The search field of a page's own content, which the '/' key focuses. */
export const PageSearch = ({ onChange, ...field }: Omit<SearchFieldProps, 'ref' | 'rightSection'>) => {
  const input = useRef<HTMLInputElement>(null)
  useSearchKey(input)
  return (
    <SearchField
      ref={input}
      aria-keyshortcuts="/"
      isClearable
      rightSection={
        <Kbd className={`${shared.dimmed} ${classes.shortcut}`} aria-hidden>
          /
        </Kbd>
      }
      onChange={(text) => {
        onChange(text)
        // The button that empties the field is no longer rendered.
        if (text === '') input.current?.focus()
      }}
      {...field}
    />
  )
}
