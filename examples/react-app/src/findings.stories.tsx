import type { Meta, StoryObj } from '@storybook/react-vite';
import { finding, many, tenant } from 'triage-api/fixtures';
import { Findings } from './findings.tsx';

export default { component: Findings } satisfies Meta<typeof Findings>;

type Story = StoryObj<typeof Findings>;

export const Empty: Story = { parameters: { fixtures: tenant() } };

export const Critical: Story = {
  parameters: { fixtures: tenant({ findings: many(3, () => finding({ severity: 'critical' })) }) },
};

export const Unavailable: Story = { parameters: { fixtures: tenant(), faults: [{ code: 503 }] } };
