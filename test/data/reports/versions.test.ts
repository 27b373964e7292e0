import test from 'ava';
import { versionOrder } from '../../../src/data/reports/versions.js';

/** Versions of an ecosystem from the earliest to the latest; those on one line, after `=`, are the same. */
const sorted: Readonly<Record<string, string>> = {
  npm: '1.0.0-alpha 1.0.0-alpha.1 1.0.0-alpha.beta 1.0.0-beta.2 1.0.0-beta.11 1.0.0-rc10 1.0.0-rc2 1.0.0=v1.0.0=1.0.0+build 1.0.9 1.0.10 2.0.0-0 2.0.0',
  Go: 'v0.0.0-20200101000000-abcdef v1.2.3-0.20200101 v1.2.3=v1.2.3+incompatible v1.10.0',
  NuGet: '1.0.0-beta 1.0.0=1.0.0.0 1.0.0.1',
  PyPI: '0.9 1.0.dev1 1.0a1.dev1 1.0a1 1.0b2 1.0rc1=1.0c1 1.0=1.0.0=1 1.0+local.1 1.0.post1=1.0-1 1.0.1 2!0.1',
  Maven:
    '1.0-alpha-1=1.0-a1 1.0-beta 1.0-M2 1.0-rc1=1.0-CR1 1.0-SNAPSHOT 1.0=1.0.0=1.0.Final=1.0.RELEASE 1.0-sp1 1.0-jre 1.0-1 1.0.1 2.9.10 2.9.10.8',
  RubyGems: '1.0.a 1.0.rc1 1.0=1.0.0 1.0.1 1.10',
  Packagist: '1.0-dev 1.0-alpha 1.0-beta1=1.0b1 1.0-RC1 1.0=1.0.0 1.0-p1 1.0.1',
  Debian:
    '1.0~rc1-1 1.0-1 1.0-1+deb10u1 1.0-1+deb10u2 1.0-1.1 1.0+dfsg-1 1.0.1-1 2.0.5-1 2.0.5-1+deb10u1 1:0.1-1',
  'Ubuntu:22.04': '2.35-0ubuntu3 2.35-0ubuntu3.1 2.35-0ubuntu3.10',
  Alpine: '1.1.1_alpha1 1.1.1_rc1-r0 1.1.1-r0 1.1.1-r1 1.1.1_p1-r0 1.1.1o-r0 1.1.1p-r0 1.1.2-r0',
  'Red Hat': '1.0~beta-1.el8 1.0-1.el8 1.0-1.el8_2 1.0-2.el8 1.0^git1-1.el8 1.0.1-1.el8 1:0.5-1.el8',
  other: '1.0-rc1 1.0=v1.0 1.0+deb1 1.0.RELEASE 1.0.1 1.2 1.10 1.20240101123456789012',
};

for (const [ecosystem, text] of Object.entries(sorted))
  test(`versions are ordered as their ecosystem orders them: ${ecosystem}`, (t) => {
    const order = versionOrder(ecosystem);
    const places = text
      .split(' ')
      .flatMap((same, place) => same.split('=').map((version) => ({ version, place })));
    for (const left of places)
      for (const right of places)
        t.is(
          Math.sign(order(left.version, right.version)),
          Math.sign(left.place - right.place),
          `${left.version} ${right.version}`,
        );
  });
