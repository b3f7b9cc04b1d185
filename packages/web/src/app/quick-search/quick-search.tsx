import { accessRequestsApi, usersApi } from '@bi-manager/contract'
import {
  Combobox,
  Modal,
  Text,
  TextInput,
  useCombobox,
  useComputedColorScheme,
  useMantineColorScheme,
} from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { call } from '../../lib/api/api.ts'
import { activityQuery, currentUserQuery, portalQuery } from '../../lib/api/queries.ts'
import { SEARCH_DELAY_MS } from '../../lib/lists/list-state.ts'
import { useSession } from '../../lib/session/session.ts'
import { isLazy, menuSearchQuery, menusQuery } from '../../reports/index.ts'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import shared from '../../ui/shared.module.css'
import { type Act, findActions } from './actions.ts'
import { type Found, findHidden, findReports, findScreens } from './found.ts'
import './quick-search-mantine.css'
import classes from './quick-search.module.css'

interface QuickSearchProps {
  opened: boolean
  onClose: () => void
  onShortcuts: () => void
  onSignOut: () => void
}

/** The dialog of Ctrl+K: finds reports, screens, actions and, for an ADMIN, people. */
export const QuickSearch = ({ opened, onClose, onShortcuts, onSignOut }: QuickSearchProps) => {
  const navigate = useNavigate()
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const chosen = useRef<Act>(undefined)
  const acts: Record<Act, () => void> = {
    theme: () => setColorScheme(scheme === 'dark' ? 'light' : 'dark'),
    shortcuts: onShortcuts,
    signOut: onSignOut,
  }
  const choose = (to: string) => {
    onClose()
    if (Object.hasOwn(acts, to)) chosen.current = to as Act
    else void navigate(to)
  }
  // An act may open a dialog, which takes the focus once this one has returned it.
  const act = () => {
    if (chosen.current) acts[chosen.current]()
    chosen.current = undefined
  }
  return (
    <Modal.Root
      opened={opened}
      onClose={onClose}
      onExitTransitionEnd={act}
      size="lg"
      padding="xs"
      yOffset="10dvh"
    >
      <Modal.Overlay />
      <Modal.Content aria-label="Busca rápida">
        <Modal.Body>
          <Palette onChoose={choose} onClose={onClose} />
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  )
}

interface PaletteProps {
  /** Called with an address or an act. */
  onChoose: (to: string) => void
  onClose: () => void
}

const Palette = ({ onChoose, onClose }: PaletteProps) => {
  const [text, setText] = useState('')
  const texts = textsOf(useSession()?.tipo === 'ADMIN')
  const combobox = useCombobox({ opened: true })
  const { groups, failure, isSearching } = useFound(text.trim())
  const lines = groups.flatMap(({ found }) => found)
  const first = lines[0]?.to

  // Enter opens the first line of the new results.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the store is a new object at each render
  useEffect(() => {
    if (first) combobox.selectFirstOption()
    else combobox.resetSelectedOption()
  }, [first, lines.length])

  return (
    <Combobox store={combobox} onOptionSubmit={onChoose}>
      <Combobox.EventsTarget withExpandedAttribute>
        <TextInput
          role="combobox"
          aria-label={texts.field}
          aria-autocomplete="list"
          placeholder={texts.field}
          data-autofocus
          size="md"
          autoComplete="off"
          spellCheck={false}
          leftSection={<IconSearch size={18} stroke={1.7} aria-hidden />}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          // An open list keeps Esc from the dialog.
          onKeyDown={(event) => event.key === 'Escape' && onClose()}
        />
      </Combobox.EventsTarget>
      <Combobox.Options className={classes.lines} aria-label="Resultados">
        {groups.map(({ title, found }) => (
          <Combobox.Group key={title} label={title} classNames={{ groupLabel: classes.title }}>
            {found.map((line) => (
              <Combobox.Option key={line.to} value={line.to} className={classes.line}>
                <span className={shared.breakable}>{line.label}</span>
                {line.detail && <span className={shared.dimmed}>{line.detail}</span>}
              </Combobox.Option>
            ))}
          </Combobox.Group>
        ))}
      </Combobox.Options>
      {failure}
      <Text role="status" size="sm" c="dimmed" px="xs" pt={lines.length > 0 ? 'xs' : 'md'}>
        {lines.length > 0 ? (
          <span className={classes.keys}>Setas para escolher, Enter para abrir, Esc para fechar.</span>
        ) : isSearching ? (
          'Procurando…'
        ) : text.trim() === '' ? (
          texts.hint
        ) : (
          'Nenhum resultado encontrado!'
        )}
      </Text>
    </Combobox>
  )
}

/** Only an ADMIN finds people. */
const textsOf = (findsPeople: boolean) =>
  findsPeople
    ? {
        field: 'Buscar relatório, tela, pessoa ou ação',
        hint: 'Digite o nome de um relatório, de uma tela, de uma pessoa ou de uma ação.',
      }
    : {
        field: 'Buscar relatório, tela ou ação',
        hint: 'Digite o nome de um relatório, de uma tela ou de uma ação.',
      }

/** Returns what the text finds, group by group; without a text, the reports opened last and the actions. */
const useFound = (text: string) => {
  const { pathname } = useLocation()
  const { data: portal } = useQuery(portalQuery)
  const [searched] = useDebouncedValue(text, SEARCH_DELAY_MS)
  const { data: user } = useQuery(currentUserQuery)
  const { data: activity } = useQuery(activityQuery)
  const menu = useQuery(menusQuery)
  // A large menu comes without its reports.
  const isPartial = menu.data?.some(isLazy) ?? false
  const reports = useQuery({ ...menuSearchQuery(searched), enabled: isPartial && searched !== '' })
  const hidden = useQuery({
    queryKey: ['relatorios-sem-acesso', searched],
    queryFn: ({ signal }) => call(accessRequestsApi.searchHidden, { query: { busca: searched } }, { signal }),
    // An ADMIN sees every report.
    enabled: user?.tipoUsuario === 'USER' && searched.length > 1,
    placeholderData: keepPreviousData,
  })
  const asksPeople = user?.tipoUsuario === 'ADMIN' && searched.length > 1
  const people = useQuery({
    queryKey: ['usuarios', 'busca-rapida', searched],
    queryFn: ({ signal }) =>
      call(usersApi.list, { query: { busca: searched, pagina: 1, tamanho: 5 } }, { signal }),
    enabled: asksPeople,
    placeholderData: keepPreviousData,
  })

  const groups: { title: string; found: Found[] }[] = [
    {
      title: text === '' ? 'Abertos por último' : 'Relatórios',
      found: findReports(
        (isPartial && text !== '' ? reports.data : menu.data) ?? [],
        activity?.relatoriosRecentes ?? [],
        text,
      ),
    },
    { title: 'Relatórios sem acesso', found: text === '' ? [] : findHidden(hidden.data ?? []) },
    { title: 'Telas', found: text === '' ? [] : findScreens(user, text) },
    {
      title: 'Ações',
      found: findActions({ user, pathname, invites: portal?.entradaComSenha !== false }, text),
    },
    {
      title: 'Pessoas',
      found: (asksPeople && text !== '' ? (people.data ?? []) : []).map(
        ({ idUsuario, nomeUsuario, emailUsuario }) => ({
          label: nomeUsuario,
          detail: emailUsuario,
          to: `/cadastrar-usuario/${idUsuario}`,
        }),
      ),
    },
  ]
  const failed = [menu, reports, hidden, people].find(({ error }) => error)
  return {
    groups: groups.filter(({ found }) => found.length > 0),
    failure: failed?.error && (
      <ListFailure
        size="xs"
        error={failed.error}
        isFetching={failed.isFetching}
        onRetry={() => void failed.refetch()}
      />
    ),
    isSearching:
      menu.isPending || reports.isFetching || hidden.isFetching || people.isFetching || searched !== text,
  }
}
