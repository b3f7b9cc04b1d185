import { Skeleton, Stack } from '@mantine/core'

/** Lines in place of a menu or list that loads; `label` announces it: 'Carregando o menu'. */
export const SkeletonLines = ({ label }: { label: string }) => (
  <Stack gap="1.25rem" p="0.5rem" role="status" aria-label={label}>
    {[70, 55, 80, 62].map((width) => (
      <Skeleton key={width} height={18} width={`${width}%`} radius="sm" />
    ))}
  </Stack>
)
