import { contentFields, fieldLabels, type MedicalRecord, versionAuthorOf } from '@bi-manager/contract'
import { Box, Skeleton, Stack, Text } from '@mantine/core'
import { IconChevronLeft } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { clockName, fullTime } from '../../lib/text/relative-time.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Button } from '../../ui/button.tsx'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import { Facts } from '../../ui/facts.tsx'
import shared from '../../ui/shared.module.css'
import { AuthorName } from './author-name.tsx'
import { dialogContentFocusProps } from './dialog-focus.ts'
import classes from './medical-records.module.css'
import { versionsQuery } from './medical-records-queries.ts'
import { PaperNotice } from './print-sheet.tsx'
import { changesOf, type FieldChange, type VersionChanges } from './version-changes.ts'

interface RecordVersionsProps {
  record: MedicalRecord
  onBack: () => void
}

/** All versions, newest first, with author, time and the text before and after each change. */
export const RecordVersions = ({ record, onBack }: RecordVersionsProps) => {
  const { data, error, isFetching, refetch, hasNextPage, fetchNextPage } = useInfiniteQuery(
    versionsQuery(record.id, record.versao),
  )
  return (
    <div className={shared.stackLg} {...dialogContentFocusProps}>
      <div>
        <Box component="h3" fw={650} fz="md" className={shared.breakable}>
          {record.nome_beneficiario}
        </Box>
        <p className={shared.underHeading}>
          Prontuário de {record.data_prontuario}. As horas são as do {clockName}.
        </p>
      </div>
      {data ? (
        <ol className={shared.stackMd} reversed start={record.versao}>
          {changesOf(data.pages.flat()).map((one, at) => (
            <Version key={one.version.versao} {...one} isCurrent={at === 0} />
          ))}
        </ol>
      ) : error ? (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} />
      ) : (
        <div role="status" aria-label="Carregando as versões">
          <Skeleton height={20} width="60%" mb="sm" />
          <Skeleton height={90} mb="lg" />
          <Skeleton height={20} width="50%" mb="sm" />
          <Skeleton height={90} />
        </div>
      )}
      {data && error && (
        <ListFailure error={error} isFetching={isFetching} onRetry={() => void fetchNextPage()} />
      )}
      <div className={`${shared.buttonsAtEnd} ${classes.buttons}`}>
        {hasNextPage && !error && (
          <Button variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            Mostrar versões anteriores
          </Button>
        )}
        <ActionButton icon={IconChevronLeft} label="Voltar ao prontuário" onClick={onBack} />
      </div>
      <PaperNotice />
    </div>
  )
}

const Version = ({ version, changes, isCurrent }: VersionChanges & { isCurrent: boolean }) => (
  <Stack component="li" gap="sm" p="md" className={shared.outlined}>
    <h4 className={classes.versionName}>
      <span>Versão {version.versao} </span>
      {isCurrent && <span className={`${shared.active} ${shared.mark}`}>atual</span>}
      {!changes && <span className={`${shared.active} ${shared.mark}`}>original</span>}
    </h4>
    <Text c="dimmed" fz="sm" mt={-10}>
      {changes ? 'Alterado' : 'Registrado'} por <AuthorName {...versionAuthorOf(version)} /> em{' '}
      {fullTime(version.em)}
    </Text>
    {changes ? (
      <>
        {changes.map((change) => (
          <Change key={change.field} {...change} />
        ))}
        <p className={`${shared.smallNote} ${classes.same}`}>{sameText(changes)}</p>
      </>
    ) : (
      <Facts
        rows={contentFields.map((field) => [fieldLabels[field] ?? field, version[field]])}
        className={classes.original}
        valueClass={classes.text}
      />
    )}
  </Stack>
)

const Change = ({ field, before, after }: FieldChange) => (
  <Stack gap={6}>
    <h5 className={classes.changeName}>
      {fieldLabels[field]} <span className={`${shared.active} ${shared.mark}`}>alterado</span>
    </h5>
    <Facts
      rows={[
        ['Antes', before],
        ['Depois', after],
      ]}
      className={classes.pair}
      valueClass={classes.text}
    />
  </Stack>
)

const sameText = (changes: FieldChange[]): string => {
  const same = contentFields.filter((field) => !changes.some((change) => change.field === field))
  if (same.length === contentFields.length) return 'Nenhum campo mudou.'
  return same.length === 0 ? '' : `Sem mudança: ${same.map((field) => fieldLabels[field]).join(', ')}.`
}
