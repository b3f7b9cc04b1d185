import '@mantine/core/styles/Tabs.layer.css'
import '@mantine/core/styles/Switch.layer.css'
import { type Beneficiary, REQUIRED } from '@bi-manager/contract'
import { Box, Switch, Tabs } from '@mantine/core'
import { IconClipboardList, IconClipboardPlus, IconFiles, IconPaperclip } from '@tabler/icons-react'
import { Activity, type FocusEvent, type ReactNode, useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDraftByKey } from '../../ui/entity-form/use-draft.ts'
import { useReported } from '../../ui/use-reported.ts'
import { AttachmentForm } from '../attachments/attachment-form.tsx'
import { AttachmentList } from '../attachments/attachment-list.tsx'
import { BeneficiaryPicker } from '../beneficiaries/beneficiary-picker.tsx'
import { RecordForm } from '../medical-records/record-form.tsx'
import { RecordList } from '../medical-records/record-list.tsx'
import { recordsShown, useAskedRecords } from '../point-beneficiaries/asked-records.ts'
import classes from './clinical-panel.module.css'

const sections = [
  { id: 'registrar', label: 'Registrar Prontuário', icon: IconClipboardPlus },
  { id: 'prontuarios', label: 'Prontuários', icon: IconClipboardList },
  { id: 'anexar', label: 'Anexar arquivos', icon: IconPaperclip },
  { id: 'anexos', label: 'Anexos', icon: IconFiles },
] as const
type SectionId = (typeof sections)[number]['id']

/** The forms need a chosen beneficiary; the lists can show all. */
const isForm = (section: SectionId): boolean => section === 'registrar' || section === 'anexar'

interface PanelSectionsProps {
  /** False while minimised: its lists send no requests, because each read is logged. */
  isShown: boolean
  /** Called when unsaved input appears or disappears. */
  onDirty: (dirty: boolean) => void
}

interface Place {
  section: SectionId
  beneficiary: Beneficiary | null
}

/** The chosen beneficiary and the four sections below. A section stays mounted once opened. */
export const PanelSections = ({ isShown, onDirty }: PanelSectionsProps) => {
  const draft = useDraftByKey<Place>('prontuarios-lugar')
  const [beneficiary, setBeneficiary] = useState(draft.restored?.beneficiary ?? null)
  const [section, setSection] = useState<SectionId>(draft.restored?.section ?? 'registrar')
  // Mounts both forms, so that each restores its draft of before the session ended.
  const [opened, setOpened] = useState<ReadonlySet<SectionId>>(
    () => new Set(draft.restored ? [section, 'registrar', 'anexar'] : [section]),
  )
  const [isPickerLeft, setPickerLeft] = useState(false)
  const [isOnlyTheirs, setOnlyTheirs] = useState(true)
  const tabs = useRef<HTMLDivElement>(null)
  draft.keep({ section, beneficiary })
  const dirt = useDirt(onDirty)

  const choose = (chosen: Beneficiary | null) => {
    setBeneficiary(chosen)
    setPickerLeft(false)
  }
  const handleBlur = ({ currentTarget, relatedTarget }: FocusEvent) => {
    if (!currentTarget.contains(relatedTarget)) setPickerLeft(true)
  }
  const show = (id: SectionId) => {
    setSection(id)
    if (tabs.current) alignTop(tabs.current)
    setOpened((before) => new Set([...before, id]))
  }
  const asked = useAskedRecords()
  const handleAsked = useEffectEvent((of: Beneficiary) => {
    choose(of)
    setOnlyTheirs(true)
    show('prontuarios')
    recordsShown()
  })
  useEffect(() => {
    if (asked) handleAsked(asked)
  }, [asked])
  const listed = isOnlyTheirs ? beneficiary : null
  const list = (id: SectionId, content: ReactNode) => (
    <Activity mode={isShown && section === id ? 'visible' : 'hidden'}>
      {beneficiary && (
        <Switch
          label="Só deste beneficiário"
          checked={isOnlyTheirs}
          onChange={(event) => setOnlyTheirs(event.currentTarget.checked)}
          mb="md"
        />
      )}
      {content}
    </Activity>
  )
  const content: Record<SectionId, ReactNode> = {
    registrar: <RecordForm beneficiary={beneficiary} onDirty={dirt('registrar')} />,
    prontuarios: list('prontuarios', <RecordList beneficiary={listed} />),
    anexar: <AttachmentForm beneficiary={beneficiary} onDirty={dirt('anexar')} />,
    anexos: list('anexos', <AttachmentList beneficiary={listed} />),
  }

  return (
    <>
      <Box component="fieldset" aria-label="De quem" mt={4} mb="0.625rem" onBlur={handleBlur}>
        <BeneficiaryPicker
          value={beneficiary}
          onChange={choose}
          isRequired={isForm(section)}
          error={isPickerLeft && isForm(section) ? REQUIRED : undefined}
        />
      </Box>
      <Tabs
        ref={tabs}
        value={section}
        onChange={(id) => id && show(id as SectionId)}
        // Keeps effects running: an upload continues, and drafts survive the session's end.
        keepMountedMode="display-none"
        classNames={{ tab: classes.tab, tabLabel: classes.tabLabel, panel: classes.section }}
      >
        <Tabs.List grow aria-label="Seções" className={classes.tabs}>
          {sections.map(({ id, label, icon: IconOf }) => (
            <Tabs.Tab key={id} value={id} leftSection={<IconOf size={20} stroke={1.6} aria-hidden />}>
              {label}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {sections.map(({ id }) => (
          <Tabs.Panel key={id} value={id}>
            {opened.has(id) && content[id]}
          </Tabs.Panel>
        ))}
      </Tabs>
    </>
  )
}

/** Scrolls to the top of the next section, instead of keeping the previous one's offset. */
const alignTop = (tabs: HTMLElement) => {
  const scrolled = tabs.parentElement
  if (!scrolled) return
  const above = tabs.getBoundingClientRect().top - scrolled.getBoundingClientRect().top
  if (above < 0) scrolled.scrollTop += above
}

/** Reports whether any of the panel's forms has unsaved input. */
const useDirt = (onDirty: (dirty: boolean) => void) => {
  const [dirty, setDirty] = useState<ReadonlySet<SectionId>>(new Set())
  useReported(dirty.size > 0, onDirty)
  return (id: SectionId) => (isDirty: boolean) =>
    setDirty((before) => new Set(isDirty ? [...before, id] : [...before].filter((one) => one !== id)))
}
