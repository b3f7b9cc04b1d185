import { guidField } from '@bi-manager/contract'
import { Anchor } from '@mantine/core'
import type { UseQueryResult } from '@tanstack/react-query'
import type { ComponentProps } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { matchesNameOrId } from '../../lib/text/search-text.ts'
import shared from '../shared.module.css'
import { SearchSelect } from './search-select.tsx'
import { MAX_OPTIONS, type SelectOption } from './select-options.ts'

export interface ProviderFieldProps extends ComponentProps<typeof SearchSelect<string>> {
  /** The objects that the connection lists at the provider; undefined while they are loading. */
  objects: SelectOption<string>[] | undefined
  /** The query of the list, if it failed: its error and a link to repeat it are shown. */
  failed: Pick<UseQueryResult, 'error' | 'isFetching' | 'refetch'> | undefined
  /**
   * `loadFailed` is shown before the error of `failed`, `whatToDo` after it, and `notListed` when
   * the chosen object is not in `objects`.
   */
  texts: { loadFailed: string; whatToDo: string; notListed: string }
}

/** Only tells whether a typed text is an id, so it needs no message. */
const guid = guidField('')

/** A field that offers objects of the BI provider, such as workspaces, or takes a typed id. */
export const ProviderField = ({ value, objects, failed, texts, ...field }: ProviderFieldProps) => {
  // Provider ids are case-insensitive.
  const known = value && objects?.find((one) => one.value.toLowerCase() === value.value.toLowerCase())
  return (
    <div>
      <SearchSelect
        {...field}
        typedOption={(text) => (guid.safeParse(text).success ? { value: text, label: text } : undefined)}
        value={known ? { ...value, label: known.label } : value}
      />
      {failed && (
        <p role="status" className={shared.fieldWarning}>
          {texts.loadFailed} {messageOf(failed.error)} {texts.whatToDo}{' '}
          <Anchor
            component="button"
            type="button"
            size="sm"
            underline="always"
            onClick={() => void failed.refetch()}
          >
            {failed.isFetching ? 'Tentando…' : 'Tentar novamente'}
          </Anchor>
        </p>
      )}
      {value && objects && !known && !failed && (
        <p role="status" className={shared.fieldWarning}>
          {texts.notListed} Você pode gravar assim mesmo.
        </p>
      )}
    </div>
  )
}

/** Returns the objects whose name or id matches, for the field's `search`. */
export const matchingObjects = (text: string, objects: SelectOption<string>[]): SelectOption<string>[] =>
  objects
    .filter(({ label, value }) => matchesNameOrId(label, value, text))
    .slice(0, MAX_OPTIONS)
    .map((option) => ({ ...option, description: option.value }))
