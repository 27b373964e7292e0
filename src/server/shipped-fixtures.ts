export { shippedFixtures } from '../storage/fixtures/shipped-fixtures.js';
