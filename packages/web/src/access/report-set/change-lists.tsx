import { Button, Group, Stack } from '@mantine/core'
import { IconMinus, IconPlus } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useLimitedList } from '../../lib/lists/use-first.ts'
import shared from '../../ui/shared.module.css'
import classes from './report-set.module.css'

export interface ChangeItem {
  key: number
  name: string
  /** A second, dimmed line: the workspace of a report, the e-mail of a person. */
  detail?: string | undefined
  hint?: ReactNode
}

interface ChangeListsProps {
  added: ChangeItem[]
  removed: ChangeItem[]
  /** The headings: 'Libera 2 relatórios', 'Retira 1 relatório'. */
  headings: { added: (count: number) => string; removed: (count: number) => string }
}

/** Names that each list shows at first, so that the buttons below stay visible. */
const NAMES = 5

/** Lists what is added and removed, by name. */
export const ChangeLists = ({ added, removed, headings }: ChangeListsProps) => (
  <div className={shared.stackMd}>
    <ChangeList kind="added" items={added} heading={headings.added} />
    <ChangeList kind="removed" items={removed} heading={headings.removed} />
  </div>
)

interface ChangeListProps {
  kind: 'added' | 'removed'
  items: ChangeItem[]
  heading: (count: number) => string
}

const ChangeList = ({ kind, items, heading }: ChangeListProps) => {
  const { shown, hidden, showMore } = useLimitedList(items, NAMES)
  if (items.length === 0) return null
  const Sign = kind === 'added' ? IconPlus : IconMinus
  return (
    <section className={classes.change} data-kind={kind}>
      <Group component="h3" gap={8} wrap="nowrap" mb={6} fz="md">
        <Sign size={18} stroke={2.2} aria-hidden className={classes.sign} />
        {heading(items.length)}
      </Group>
      <Stack component="ul" gap={6} pl="1.625rem" fz="sm" className={shared.breakable}>
        {shown.map(({ key, name, detail, hint }) => (
          <li key={key}>
            <span>{name}</span>
            {detail && <span className={shared.detail}>{detail}</span>}
            {hint}
          </li>
        ))}
      </Stack>
      {hidden > 0 && (
        <Button variant="subtle" size="xs" onClick={showMore} mt={6} ml="md">
          Mostrar mais ({hidden.toLocaleString('pt-BR')})
        </Button>
      )}
    </section>
  )
}
