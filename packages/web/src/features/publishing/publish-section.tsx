import {
  type DataType,
  MISSING,
  type PublicationResult,
  publishingApi,
  type Report,
} from '@bi-manager/contract'
import { Alert, Box, NativeSelect, Textarea, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { call } from '../../lib/api/api.ts'
import { reportsKey, workspacesKey } from '../../lib/api/query-keys.ts'
import { menusQuery } from '../../lib/navigation/menu.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import type { SelectOption } from '../../ui/search-select/select-options.ts'
import shared from '../../ui/shared.module.css'
import { nameIn, placeIn, titlesIn, withName } from './definition-text.ts'
import { PeopleField } from './people-field.tsx'
import { PublishedPanel } from './published-panel.tsx'
import classes from './publishing.module.css'
import { publicationWorkspacesQuery } from './publishing-queries.ts'
import { registerReport } from './register-report.ts'

const NEW = 'novo'
/** Milliseconds without typing before the definition is checked. */
const CHECK_DELAY_MS = 800

interface PublishSectionProps {
  rascunho: string
  /** The definition that the service proposes for the columns. */
  proposal: string
  /** The chosen types of columns: with others, the rows are other ones. */
  types: Record<string, DataType>
}

/** Name, workspace and definition of the report, who may open it, and the publication. */
export const PublishSection = ({ rascunho, proposal, types }: PublishSectionProps) => {
  const client = useQueryClient()
  const workspaces = useQuery(publicationWorkspacesQuery)
  /** The author's name for the report, and own text; undefined follows the proposal. */
  const [name, setName] = useState<string>()
  const [edited, setEdited] = useState<string>()
  const [place, setPlace] = useState<string>()
  const [newName, setNewName] = useState('Minha área')
  const [people, setPeople] = useState<SelectOption[]>([])
  const [isOpen, setOpen] = useState(false)
  const editor = useRef<HTMLTextAreaElement>(null)
  const hint = useId()

  const proposed = name === undefined ? proposal : withName(proposal, name)
  const relatorio = edited ?? proposed
  const shownName = nameIn(relatorio)
  const isNamed = !!shownName?.trim()
  const known = workspaces.data ?? []
  const chosen = place ?? known[0]?.idGrupo ?? NEW
  const nomeGrupo = known.find(({ idGrupo }) => idGrupo === chosen)?.nome ?? newName.trim()
  const workspace = { idGrupo: chosen === NEW ? null : chosen, nome: nomeGrupo }
  const body = { workspace, relatorio }
  const [checkedBody] = useDebouncedValue(body, CHECK_DELAY_MS)
  const check = useQuery({
    queryKey: ['publicacoes', rascunho, 'conferencia', types, checkedBody],
    queryFn: ({ signal }) =>
      call(publishingApi.check, { params: { rascunho }, body: checkedBody }, { signal }),
    enabled: workspaces.isSuccess && nomeGrupo !== '',
    placeholderData: keepPreviousData,
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
  })
  const publication = useMutation({
    mutationFn: async (): Promise<{ result: PublicationResult; report?: Report }> => {
      const result = await call(publishingApi.publish, { params: { rascunho }, body })
      if (result.erros.length > 0) return { result }
      const report = await registerReport({
        published: result,
        nomeGrupo,
        nomeRelatorio: shownName?.trim() ?? '',
        people: people.map(({ value }) => value),
      })
      return { result, report }
    },
    onSettled: () =>
      Promise.all(
        [['publicacoes'], workspacesKey, reportsKey, menusQuery.queryKey].map((queryKey) =>
          client.invalidateQueries({ queryKey }),
        ),
      ),
  })

  if (publication.data?.report)
    return (
      <PublishedPanel
        report={publication.data.report}
        workspace={{ nome: nomeGrupo, idGrupo: publication.data.result.idGrupo }}
        people={people.length}
      />
    )
  const found = publication.data?.result ?? check.data
  const goTo = (sentence: string) => {
    const at = placeIn(relatorio, sentence)
    // The field exists only while the definition is open.
    flushSync(() => setOpen(true))
    const field = editor.current
    if (!at || !field) return
    field.focus()
    field.setSelectionRange(at.start, at.end)
    field.scrollTop = Math.max(0, at.line - 4) * Number.parseFloat(getComputedStyle(field).lineHeight)
  }
  const edit = (text: string) => {
    publication.reset()
    setEdited(text === proposed ? undefined : text)
  }
  const rename = (next: string) => {
    publication.reset()
    setName(next)
    if (edited !== undefined) setEdited(withName(edited, next))
  }
  const isFaulty = (found?.erros.length ?? 0) > 0
  return (
    <>
      <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="relatorio">
        <h2 id="relatorio" className={shared.subheading}>
          3. O relatório
        </h2>
        <div className={shared.columns}>
          <TextInput
            label="Nome do relatório"
            maxLength={160}
            autoComplete="off"
            value={shownName ?? ''}
            disabled={shownName === undefined}
            error={shownName !== undefined && !isNamed && MISSING}
            onChange={({ currentTarget: { value } }) => rename(value)}
          />
          <NativeSelect
            label="Workspace"
            disabled={!workspaces.isSuccess}
            value={chosen}
            data={[
              ...known.map(({ idGrupo, nome }) => ({ value: idGrupo, label: nome })),
              { value: NEW, label: 'Novo workspace…' },
            ]}
            onChange={({ currentTarget: { value } }) => setPlace(value)}
          />
          {chosen === NEW && (
            <TextInput
              label="Nome do novo workspace"
              maxLength={120}
              autoComplete="off"
              value={newName}
              error={nomeGrupo === '' && MISSING}
              onChange={({ currentTarget: { value } }) => setNewName(value)}
            />
          )}
        </div>
        <Shown titles={titlesIn(relatorio)} />
        <details
          className={classes.definition}
          open={isOpen}
          onToggle={(event) => setOpen(event.currentTarget.open)}
        >
          <summary>Definição do relatório</summary>
          {isOpen && (
            <Textarea
              ref={editor}
              className={classes.editor ?? ''}
              aria-label="Definição do relatório"
              description="O que o relatório mostra, em JSON. Mude títulos, consultas e lugares, ou publique a proposta como está."
              aria-describedby={hint}
              autosize
              minRows={12}
              maxRows={28}
              spellCheck={false}
              autoComplete="off"
              wrap="off"
              value={relatorio}
              onChange={({ currentTarget: { value } }) => edit(value)}
            />
          )}
        </details>
        <div id={hint} role="status" className={shared.stackXs}>
          <Findings result={found} isChecking={check.isFetching} onPlace={goTo} />
        </div>
        <ErrorAlert error={check.error} />
        {edited !== undefined && (
          <div className={shared.buttons}>
            <ActionButton size="xs" label="Voltar à proposta" onClick={() => edit(proposed)} />
          </div>
        )}
      </section>
      <section className={`${shared.panel} ${shared.stackMd}`} aria-labelledby="pessoas">
        <div>
          <h2 id="pessoas" className={shared.subheading}>
            4. Quem pode abrir
          </h2>
          <p className={shared.underHeading}>
            Administradores veem todos os relatórios. Você pode liberar mais pessoas e perfis depois.
          </p>
        </div>
        <PeopleField people={people} onChange={setPeople} />
        <ErrorAlert error={publication.error} />
        <div className={shared.buttonsAtEnd}>
          <ActionButton
            isMain
            label="Publicar"
            loading={publication.isPending}
            disabled={isFaulty || nomeGrupo === '' || !isNamed}
            onClick={() => publication.mutate()}
          />
        </div>
      </section>
    </>
  )
}

/** What the report shows, by the titles of its visuals. */
const Shown = ({ titles }: { titles: string[] }) =>
  titles.length === 0 ? null : (
    <div>
      <p className={shared.note}>O relatório mostra:</p>
      <Box component="ul" mt="0.375rem" className={shared.chips} aria-label="Visuais do relatório">
        {titles.map((title, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles may repeat and have no id
          <li key={index} className={`${shared.chip} ${shared.active}`}>
            {title}
          </li>
        ))}
      </Box>
    </div>
  )

interface FindingsProps {
  result: PublicationResult | undefined
  isChecking: boolean
  onPlace: (sentence: string) => void
}

const Findings = ({ result, isChecking, onPlace }: FindingsProps) => {
  if (!result) return isChecking ? <p className={shared.note}>Conferindo…</p> : null
  const { erros, avisos } = result
  if (erros.length === 0 && avisos.length === 0)
    return (
      <p className={`${shared.row} ${shared.note}`}>
        <IconCircleCheck size={18} aria-hidden className={shared.accent} />
        {isChecking ? 'Conferindo…' : 'Conferido: nenhum erro.'}
      </p>
    )
  return (
    <Alert
      color={erros.length > 0 ? 'red' : 'yellow'}
      icon={<IconAlertTriangle aria-hidden />}
      title={erros.length > 0 ? 'Corrija antes de publicar' : 'Avisos'}
    >
      <ul className={classes.findings}>
        {[...erros, ...avisos].map((sentence) => (
          <li key={sentence}>
            {sentence}{' '}
            {/\(linha \d+, coluna \d+\)/.test(sentence) && (
              <ActionButton size="compact-xs" label="Ir para a linha" onClick={() => onPlace(sentence)} />
            )}
          </li>
        ))}
      </ul>
    </Alert>
  )
}
